package io.evidencegate.sample;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/** Starts the chat service. */
@SpringBootApplication
@ConfigurationPropertiesScan
public class ChatServiceApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(ChatServiceApplication.class, arguments);
    }
}
